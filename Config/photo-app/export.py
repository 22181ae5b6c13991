#!/usr/bin/env python3
"""Exports photos: claims what the command "Export…" delivers, does the work, and replies."""
import argparse, json, os, threading, time, urllib.error, urllib.request, uuid

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--server", default="http://localhost:8080")
parser.add_argument("--session", default="demo")
parser.add_argument("--folder", default="exports", help="where the files go")
parser.add_argument("--seconds", type=float, default=2, help="how long one photo takes")
parser.add_argument("--renew", type=float, default=10, help="how often the claim is renewed")
parser.add_argument("--once", action="store_true", help="end after one delivery")
options = parser.parse_args()
deliveries = f"{options.server}/sessions/{options.session}/deliveries"
token = os.environ.get("MENUD_TOKEN")
fields = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})

def post(path, body, wait=0):
    """Sends a request until it is answered; it has a key, so that it is carried out once."""
    own = fields | {"Idempotency-Key": str(uuid.uuid4()), "Prefer": f"wait={wait}"}
    while True:
        try:
            request = urllib.request.Request(deliveries + path, json.dumps(body).encode(), own)
            with urllib.request.urlopen(request, timeout=wait + 30) as response:
                return response.status, json.loads(response.read() or "null")
        except urllib.error.HTTPError as error:
            if error.code < 500:
                return error.code, json.load(error)
        except OSError:
            pass  # menud is not there at the moment.
        time.sleep(0.5)

def export(photo):
    """Writes one photo to a file, and answers its name."""
    time.sleep(options.seconds)
    path = os.path.join(options.folder, f"{photo}.jpg")
    with open(path, "w") as file:
        file.write(f"This could be the photo '{photo}'.\n")
    return path

def renew(path, claim, done):
    while not done.wait(options.renew) and post(path + "/renew", claim)[0] == 200:
        pass

status = None
while status != 200 or not options.once:
    status, answer = post("/claim", {"by": "export.py", "commands": ["exportPhotos:"]}, wait=20)
    if status == 200:
        delivery, done = answer["delivery"], threading.Event()
        path, claim = f"/{delivery['id']}", {"claim": delivery["claim"]["number"]}
        threading.Thread(target=renew, args=(path, claim, done), daemon=True).start()
        os.makedirs(options.folder, exist_ok=True)
        files = {photo: export(photo) for photo in delivery["value"]["photos"]}
        done.set()
        note = {"op": "mergeState", "patch": {"exported": files}}
        reply = post(path + "/reply", claim | {"result": files, "mutations": [note]})[1]
        print(delivery["id"], reply.get("detail") or reply["delivery"]["state"], flush=True)
    elif status != 204:  # There was nothing to do for 20 seconds.
        raise SystemExit(answer["detail"])
