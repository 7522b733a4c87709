"""The Python back end of the kernel: functions run by CPython, one int for each set of hexes."""
