#!/bin/sh
# A Spark cluster on loopback, a master and two workers with a core each, that runs predicates over Parquet.
#
#     spark.sh PREDICATE PEOPLE ROUNDS    the command, how many people are made, and how often statements are timed
#
# PySpark is installed into a virtual environment, which ENGINES_VENV names. Data, logs and processes last as long as the
# script: all of it lies in a temporary folder, below SPARK_FOLDER where that is set.
set -eu

home=$(cd "$(dirname "$0")" && pwd)
venv=${ENGINES_VENV:-.build/engines/venv}
predicate=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
people=$2
rounds=$3

has_java() {
    java -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p' | head -1 | grep -qE '^(1[7-9]|[2-9][0-9])$'
}

has_java || {
    echo "Spark needs Java 17 or later: apt-get install openjdk-17-jre-headless" >&2
    exit 2
}
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/python" -c 'import pyspark' 2>/dev/null ||
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check 'pyspark>=4,<5'

folder=$(mktemp -d "${SPARK_FOLDER:-${TMPDIR:-/tmp}}/predicates-spark-XXXXXX")
processes=
stop() {
    # shellcheck disable=SC2086
    [ -z "$processes" ] || kill $processes 2>/dev/null || true
    wait 2>/dev/null || true
    rm -rf "$folder"
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

SPARK_HOME=$("$venv/bin/python" -c 'import os, pyspark; print(os.path.dirname(pyspark.__file__))')
export SPARK_HOME SPARK_LOCAL_IP=127.0.0.1 SPARK_LOCAL_DIRS="$folder/local" SPARK_LOG_DIR="$folder/logs"
export PYSPARK_PYTHON="$venv/bin/python" PYTHONDONTWRITEBYTECODE=1
mkdir -p "$SPARK_LOCAL_DIRS" "$SPARK_LOG_DIR"

# Starts a process of the cluster; spark-class becomes the process itself.
start() {
    name=$1
    shift
    "$SPARK_HOME/bin/spark-class" "$@" >"$SPARK_LOG_DIR/$name" 2>&1 &
    processes="$processes $!"
}

# Waits for a line in the log of a process.
await() {
    for _ in $(seq 600); do
        if grep -q "$2" "$SPARK_LOG_DIR/$1" 2>/dev/null; then return 0; fi
        sleep 0.2
    done
    cat "$SPARK_LOG_DIR/$1" >&2
    exit 1
}

port=$("$venv/bin/python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
start master org.apache.spark.deploy.master.Master --host 127.0.0.1 --port "$port" --webui-port 0
await master "I have been elected leader"
for worker in 1 2; do
    start "worker-$worker" org.apache.spark.deploy.worker.Worker --host 127.0.0.1 --cores 1 --memory 3g --webui-port 0 \
        --work-dir "$folder/work-$worker" "spark://127.0.0.1:$port"
    await "worker-$worker" "Successfully registered with master"
done

"$venv/bin/python" "$home/run.py" "spark://127.0.0.1:$port" "$folder" "$predicate" "$people" "$rounds" \
    2>"$folder/logs/driver" || {
    status=$?
    grep -vE ' (WARN|INFO) ' "$folder/logs/driver" | tail -40 >&2
    exit $status
}
