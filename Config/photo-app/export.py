#!/usr/bin/env python3
"""Exports photos: does what the command "Export…" delivers, in all sessions. It needs menud.py, installed or beside it:
curl -O http://localhost:8080/client/menud.py"""
import argparse, os, time
from menud import Client, Reply

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--server", default="http://localhost:8080")
parser.add_argument("--folder", default="exports", help="where the files go")
parser.add_argument("--seconds", type=float, default=2, help="how long one photo takes")
parser.add_argument("--once", action="store_const", const=1, dest="count", help="end after one delivery")
options = parser.parse_args()

def export(work):
    """Writes photos to files, and answers their names."""
    os.makedirs(options.folder, exist_ok=True)
    files = {photo: os.path.join(options.folder, f"{photo}.jpg") for photo in work.value["photos"]}
    for done, (photo, path) in enumerate(files.items()):
        work.progress(done / len(files), photo)
        time.sleep(options.seconds)
        with open(path, "w") as file:
            file.write(f"This could be the photo '{photo}'.\n")
    return Reply(files, [{"op": "mergeState", "patch": {"exported": files}}])

client = Client(options.server, token=os.environ.get("MENUD_TOKEN"))
client.deliveries(by="export.py", commands=["exportPhotos:"]).work(export, options.count)
