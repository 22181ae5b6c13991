#!/usr/bin/env python3
"""Transcodes clips: does what the command "Export Clip…" delivers, in all sessions, tells the progress, and gives up when
it is asked to. It needs menud.py, installed or beside it: curl -O http://localhost:8080/client/menud.py"""
import argparse, os, time
from menud import Client, Reply

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--server", default="http://localhost:8080")
parser.add_argument("--folder", default="exports", help="where the files go")
parser.add_argument("--seconds", type=float, default=10, help="how long one clip takes")
parser.add_argument("--once", action="store_const", const=1, dest="count", help="end after one delivery")
options = parser.parse_args()
ENDINGS = {"XDCAM HD422": "mxf", "H.264 Proxy": "mp4"}
#: A rule sees the deliveries of its own command alone: "Cancel Export" knows by the state that there is one.
OVER = [{"op": "replace", "path": "/export", "value": None}]

def transcode(work):
    """Writes the clip's file in place of its frames, and answers the path; a file of a part is removed."""
    clip = work.value["clip"]
    path = os.path.join(options.folder, f"{clip}.{ENDINGS[work.value['format']]}")
    part = path + ".part"
    try:
        os.makedirs(options.folder, exist_ok=True)
        with open(part, "w") as file:
            for percent in range(0, 100, 5):
                work.progress(percent / 100, f"{work.value['name']}: {percent} %")
                time.sleep(options.seconds / 20)
                file.write(f"{work.value['name']}, {work.value['format']}, {percent} %\n")
        work.check()
        os.replace(part, path)
    except OSError as error:
        fail(work, error)
        raise
    finally:
        if os.path.exists(part):
            os.remove(part)
    return Reply(path, [{"op": "patchState", "patch": [
        {"op": "replace", "path": f"/clips/{clip}/file", "value": path}, *OVER]}])

def fail(work, error):
    """Fails a delivery, and at once tells "Cancel Export" that it is over."""
    client.session(work.session).mutate([
        {"op": "failDelivery", "delivery": work.id, "claim": work.claim, "problem": {"title": str(error)}},
        {"op": "patchState", "patch": OVER}])

client = Client(options.server, token=os.environ.get("MENUD_TOKEN"))
client.deliveries(by="transcode.py", commands=["exportClip:"]).work(transcode, options.count)
