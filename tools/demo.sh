#!/bin/sh
# Runs the demo, verifies it and draws it: tools/demo.sh BUILD
set -u
build=$1
run=out/demo
"$build/abut" run scenes/demo.json -o $run || exit $?
echo
"$build/abut" verify $run || exit $?
if tools/venv.sh picture && .venv-picture/bin/python tools/picture.py $run --times 0.34,0.6,1.0; then
  picture=$run/picture.png
else
  echo "demo: no picture: see the line above; the run itself is complete"
  picture="(none)"
fi
echo
"$build/abut" info $run
echo
echo "trajectory  $run/trajectory.vtkhdf  (opens in ParaView)"
echo "picture     $picture"
