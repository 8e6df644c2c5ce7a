#!/bin/sh
# Runs the bag, verifies it, measures it and draws its moments: tools/bag.sh BUILD [OPTION...]
# Options go to `abut run`, --method ipc for example.
set -u
build=$1
shift
run=out/bag
"$build/abut" run scenes/bag.json -o $run "$@" || exit $?
echo
"$build/abut" verify $run || exit $?
if tools/venv.sh picture && .venv-picture/bin/python tools/bag_picture.py $run; then
  echo "picture     $run/picture.png"
else
  echo "bag: no picture: see the line above; the run itself is complete"
fi
echo "trajectory  $run/trajectory.vtkhdf  (opens in ParaView)"
