#!/bin/sh
# Makes the virtual environment .venv-NAME from tools/requirements-NAME.txt, unless it is there
# and up to date: tools/venv.sh NAME. Fails, with a sentence, without Python or network.
set -u
name=$1
folder=.venv-$name wanted=tools/requirements-$name.txt
[ -f "$folder/done" ] && cmp -s "$folder/done" "$wanted" && exit 0
if ! command -v python3 >/dev/null 2>&1; then
  echo "venv: python3 is missing"
  exit 1
fi
rm -rf "$folder"
if ! python3 -m venv "$folder" >"$folder.log" 2>&1; then
  echo "venv: python3 cannot make a virtual environment (package python3-venv?)"
  tail -n 3 "$folder.log"
  rm -rf "$folder" "$folder.log"
  exit 1
fi
echo "venv: installing $(grep -c '^[a-z]' "$wanted") packages into $folder"
if ! "$folder/bin/pip" install -q --disable-pip-version-check -r "$wanted" >"$folder.log" 2>&1; then
  echo "venv: pip could not install $wanted (no network?)"
  tail -n 3 "$folder.log"
  rm -rf "$folder" "$folder.log"
  exit 1
fi
rm -f "$folder.log"
cp "$wanted" "$folder/done"
