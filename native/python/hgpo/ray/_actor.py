"""Works for a run, on whatever machine Ray has chosen."""


class Worker:
    """An actor: `hgpo_train.Worker`, made once the run has said what it begins with."""

    def address(self):
        import ray

        return ray.util.get_node_ip_address()

    def begin(self, version, start, device, jobs):
        try:
            import hgpo_train
        except ImportError as error:
            raise RuntimeError(f"hgpo-train is not installed on {self.address()}: install it on all machines ({error})") from None
        here = hgpo_train.version()
        if here != version:
            raise RuntimeError(f"{self.address()} has hgpo-train {here}, and the run is one of {version}: install the same package on all machines")
        self.worker = hgpo_train.Worker(start, device, jobs)
        return self.address(), self.worker.device

    def hold(self, weights, data, kept):
        self.worker.hold(weights, data, kept)

    def say(self, talk, weights, message):
        return self.worker.say(talk, weights, message)

    def leave(self, talk):
        self.worker.leave(talk)
