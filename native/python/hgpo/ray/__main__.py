"""`python -m hgpo.ray`."""

import argparse
import signal
import sys

ADDRESS = "Ray's cluster [default: RAY_ADDRESS, else a new one of this machine]"


def main(arguments=None):
    """What the command line asks for; gives the exit status."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    commands = {"compare": compare, "train": train}
    if arguments[:1] and arguments[0] in commands:
        return commands[arguments[0]](arguments[1:])
    parser = argparse.ArgumentParser(prog="python -m hgpo.ray", description="Deals work out to the machines of a Ray cluster.")
    commands = parser.add_subparsers(title="commands", required=True)
    commands.add_parser("compare", help="the runs of a study, as tasks")
    commands.add_parser("train", help="the work of one run, to actors")
    parser.parse_args(arguments)


def compare(arguments):
    """`python -m hgpo.ray compare`."""
    parser = argparse.ArgumentParser(
        prog="python -m hgpo.ray compare", allow_abbrev=False,
        usage="python -m hgpo.ray compare [STUDY] [OPTIONS of hgpo compare] [--address ADDRESS] [--program PATH] [--shared] …",
        description="Runs the runs of a study as tasks of Ray. What is finished is kept: the same command goes on after any stop.",
    )
    parser.add_argument("--address", help=ADDRESS)
    parser.add_argument("--program", default="hgpo", metavar="PATH", help="the program hgpo, which is sent to the machines [default: hgpo]")
    parser.add_argument("--shared", action="store_true", help="all machines see this folder: lost runs go on from their checkpoints")
    parser.add_argument("--cpus", type=float, default=1.0, metavar="N", help="processors that a run needs [default: 1]")
    parser.add_argument("--gpus", type=float, default=0.0, metavar="N", help="GPUs that a run needs [default: 0]")
    parser.add_argument("--retries", type=int, default=3, metavar="N", help="times that a run is tried again when its machine is lost [default: 3]")
    study = arguments.pop(0) if arguments and not arguments[0].startswith("-") else None
    known, others = parser.parse_known_args(arguments)

    def run():
        from hgpo.ray import compare

        return compare(study, *others, **vars(known))

    return exit_status(parser, run, "stopped: finished runs are kept, and the same command goes on")


def train(arguments):
    """`python -m hgpo.ray train`."""
    parser = argparse.ArgumentParser(
        prog="python -m hgpo.ray train", allow_abbrev=False, add_help=False,
        usage="python -m hgpo.ray train [OPTIONS of hgpo train] [--address ADDRESS] [--actors N] [--cpus N] [--gpus N]",
        description="Trains as hgpo train does, with the work of the policy dealt out to actors of Ray. The run is the same, bit by bit, "
        "however many they are and whichever is lost.",
    )
    parser.add_argument("--address", help=ADDRESS)
    parser.add_argument("--actors", type=int, metavar="N", help="how many work [default: as many as the cluster has room for]")
    parser.add_argument("--cpus", type=float, default=1.0, metavar="N", help="processors of an actor, which does as many jobs at once [default: 1]")
    parser.add_argument("--gpus", type=float, default=0.0, metavar="N", help="GPUs of an actor [default: 0]")
    known, others = parser.parse_known_args(arguments)
    if "-h" in others or "--help" in others:
        parser.print_help()
        print()

    def run():
        from hgpo.ray import train

        return train(others, **vars(known))

    return exit_status(parser, run, "stopped at once: what was saved before is kept")


def exit_status(parser, run, stopped):
    """The exit status of `run`, whose failures are told in a line."""
    # A scheduler asks to end as the user does.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return run()
    except ImportError as error:
        if error.name not in ("ray", "hgpo_train"):
            raise
        parser.error(str(error))
    except ValueError as error:
        parser.error(str(error))
    except (RuntimeError, ConnectionError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(stopped, file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
