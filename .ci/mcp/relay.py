"""Relays standard input and output of a command, and records each line: `relay.py FILE COMMAND…`."""

import subprocess
import sys
import threading

record = open(sys.argv[1], "ab", buffering=0)
child = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def send():
    for line in sys.stdin.buffer:
        record.write(b"> " + line)
        child.stdin.write(line)
        child.stdin.flush()
    child.stdin.close()


threading.Thread(target=send, daemon=True).start()
for line in child.stdout:
    record.write(b"< " + line)
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()
sys.exit(child.wait())
