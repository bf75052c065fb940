"""What is on the disk after a power cut: operations on files as shim.c records them, and what of them
lasts.

The contents of a file last when it was synchronised; its name lasts when its folder was. What lasts of
the rest is up to the file system:

  dropped    nothing, as POSIX has it
  journal    names up to the last synchronisation of anything, as with ext4 and xfs
  kept       all names, no contents
  torn       names of every folder and bytes of every file up to some point between
"""

VIEWS = ["dropped", "journal", "kept", "torn"]


class File:
    def __init__(self):
        self.now, self.last, self.writes = bytearray(), b"", []

    def write(self, offset, data):
        self.put(self.now, offset, data)
        self.writes.append((offset, data))

    @staticmethod
    def put(contents, offset, data):
        if len(contents) < offset:
            contents.extend(bytes(offset - len(contents)))
        contents[offset:offset + len(data)] = data

    def truncate(self, length):
        del self.now[length:]
        self.now.extend(bytes(length - len(self.now)))
        self.writes.append((length, None))

    def synchronise(self):
        self.last, self.writes = bytes(self.now), []

    def after_cut(self, view, generator):
        if view != "torn" or not self.writes:
            return self.last
        contents, count = bytearray(self.last), generator.randrange(len(self.writes) + 1)
        for number, (offset, data) in enumerate(self.writes[:count]):
            if data is None:
                del contents[offset:]
            else:
                whole = number + 1 < count or generator.random() < 0.5
                self.put(contents, offset, data if whole else data[:generator.randrange(len(data) + 1)])
        return bytes(contents)


class Folder:
    def __init__(self):
        self.now, self.last, self.states, self.journalled = {}, {}, [], {}

    def set(self, name, entry=None, gone=None):
        """Gives a name to a file or folder and takes another one away, in one step."""
        if entry is not None:
            self.now[name] = entry
        self.now.pop(gone, None)
        self.states.append(dict(self.now))

    def synchronise(self):
        self.last, self.states = dict(self.now), []

    def after_cut(self, view, generator):
        if view == "torn":
            return generator.choice([self.last, *self.states])
        return {"dropped": self.last, "journal": self.journalled, "kept": self.now}[view]


class Disk:
    """A folder as the operations leave it."""

    def __init__(self):
        self.root, self.open, self.folders = Folder(), {}, []
        self.folders.append(self.root)

    def find(self, path):
        node = self.root
        for name in filter(None, path.split("/")):
            node = node.now[name]
        return node

    def parent(self, path):
        folder, _, name = path.rpartition("/")
        return self.find(folder), name

    def apply(self, operation):
        kind, *values = operation
        if kind == "O":
            self.open_file(*values)
        elif kind == "W":
            self.open[values[0]].write(*values[1:])
        elif kind == "T":
            self.open[values[0]].truncate(values[1])
        elif kind == "S":
            self.open[values[0]].synchronise()
            for folder in self.folders:
                folder.journalled = dict(folder.now)
        elif kind == "M":
            folder, name = self.parent(values[0])
            made = Folder()
            folder.set(name, made)
            self.folders.append(made)
        elif kind == "R":
            folder, name = self.parent(values[0])
            target, other = self.parent(values[1])
            if target is not folder:
                raise ValueError(f"{values[0]} is moved to another folder, which is not one step")
            folder.set(other, folder.now[name], gone=name)
        elif kind == "U":
            folder, name = self.parent(values[0])
            folder.set(name, gone=name)

    def open_file(self, number, emptied, path):
        path = "/".join(name for name in path.split("/") if name not in ("", "."))
        folder, name = self.parent(path) if path else (None, None)
        if folder is None:
            self.open[number] = self.root
            return
        if name not in folder.now:
            folder.set(name, File())
        self.open[number] = folder.now[name]
        if emptied and self.open[number].now:
            self.open[number].truncate(0)

    def contents(self, node=None, of=lambda node: node.now):
        """Names and contents, in nested dictionaries."""
        entries = of(node or self.root)
        return {name: bytes(of(entry)) if isinstance(entry, File) else self.contents(entry, of)
                for name, entry in entries.items()}

    def pages(self, node=None):
        """Bytes of all files, in whole pages."""
        entries = (node or self.root).now.values()
        return sum(-(-len(entry.now) // 4096) * 4096 if isinstance(entry, File) else self.pages(entry)
                   for entry in entries)

    def after_cut(self, view, generator):
        """What a power cut leaves now."""
        return self.contents(of=lambda node: node.after_cut(view, generator))


def read(path):
    """The operations in a journal, in order."""
    with open(path, "rb") as file:
        data = file.read()
    operations, at = [], 0
    while at < len(data):
        end = data.index(b"\n", at)
        kind, rest = chr(data[at]), data[at + 2:end].decode()
        at = end + 1
        if kind == "W":
            number, offset, length = map(int, rest.split())
            operations.append(("W", number, offset, data[at:at + length]))
            at += length + 1
        elif kind == "O":
            number, emptied, path = rest.split(" ", 2)
            operations.append(("O", int(number), emptied == "1", path))
        elif kind in "ST":
            operations.append((kind, *map(int, rest.split())))
        else:
            operations.append((kind, *rest.split("\t")))
    return operations
