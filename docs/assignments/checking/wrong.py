"""What keeps answers from being checked."""


class Wrong(Exception):
    """A sentence that says what is wrong and what to do."""
