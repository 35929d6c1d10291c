#!/bin/sh
# Proves the engines one after another: installs what each needs, starts its server on a private socket in a temporary
# folder as an unprivileged user, runs the program against it, and stops and removes everything, on an interrupt too.
#
#     engines.sh PROGRAM [--count N] [--spark-count N] [--keep FOLDER] [OPTION VALUE…] ENGINE…
#
# With --keep the databases stay in FOLDER/ENGINE for further runs.
# An engine that cannot be installed is an error where CI is true, and skipped with a loud line elsewhere; Spark is
# skipped in both where there is no Java, and MySQL, which Debian 12 does not have, where MYSQLD names no mysqld of MySQL
# and none is on PATH. Drivers from PyPI go into a virtual environment, .build/engines/venv.
set -u

home=$(cd "$(dirname "$0")" && pwd)
venv=${ENGINES_VENV:-.build/engines/venv}
program=$1
shift
options=
spark_count=
keep=
engines=
while [ $# -gt 0 ]; do
    case $1 in
    --spark-count) spark_count=$2 && shift 2 ;;
    --keep) keep=$2 && shift 2 ;;
    --*) options="$options $1 $2" && shift 2 ;;
    *) engines="$engines $1" && shift ;;
    esac
done

folder=
data=
server=
launched=
failed=0
# A database that is kept has to be written before its server ends.
ending=$([ -n "$keep" ] && echo fast || echo immediate)

# What a run leaves behind is removed however it ends.
stop() {
    case $server in
    postgresql) unprivileged postgres "$postgres/pg_ctl" -D "$data" -m "$ending" stop >/dev/null 2>&1 ;;
    mariadb | mysql)
        # One that is still starting has written no file yet.
        kill "$(cat "$folder/pid" 2>/dev/null || echo "$launched")" 2>/dev/null
        wait 2>/dev/null
        ;;
    esac
    server=
    [ -z "$folder" ] || rm -rf "$folder"
    folder=
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# Runs a command as a user other than root: the one named, if there is one, or nobody. Who is not root stays who they are.
unprivileged() {
    user=$1
    shift
    if [ "$(id -u)" -ne 0 ]; then "$@"; else runuser -u "$(account "$user")" -- "$@"; fi
}

account() { if id "$1" >/dev/null 2>&1; then echo "$1"; else echo nobody; fi; }

as_root() { if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo -n "$@"; fi; }

apt_updated=
# Installs Debian packages that are missing; a mirror that does not answer is asked three times.
packages() {
    missing=
    for package in "$@"; do
        dpkg-query --show --showformat='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' ||
            missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    for attempt in 1 2 3; do
        [ -n "$apt_updated" ] || as_root apt-get update -qq
        # shellcheck disable=SC2086
        as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null &&
            apt_updated=yes && return 0
        apt_updated=
        sleep $((attempt * 5))
    done
    return 1
}

# Installs a driver from PyPI unless Python finds its module.
driver() {
    module=$1
    requirement=$2
    if ! "$venv/bin/python" -c 'import pip' 2>/dev/null; then
        python3 -c 'import ensurepip, venv' 2>/dev/null || packages python3 python3-venv || return 1
        python3 -m venv --clear "$venv" || return 1
    fi
    "$venv/bin/python" -c "import $module" 2>/dev/null && return 0
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --retries 5 --timeout 60 "$requirement"
}

has_java() {
    java -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p' | head -1 | grep -qE '^(1[7-9]|[2-9][0-9])$'
}

install_engine() {
    case $1 in
    sqlite) ;;
    postgresql)
        postgres=$(servers_of_postgresql)
        [ -x "$postgres/initdb" ] || packages postgresql || return 1
        postgres=$(servers_of_postgresql)
        [ -x "$postgres/initdb" ] && driver psycopg 'psycopg[binary]>=3.2,<4'
        ;;
    mariadb)
        command -v mariadbd >/dev/null && command -v mariadb-install-db >/dev/null ||
            packages mariadb-server-core mariadb-client-core || return 1
        driver mysql.connector 'mysql-connector-python>=9,<27'
        ;;
    mysql)
        mysqld=$(server_of_mysql)
        if [ -z "$mysqld" ]; then
            [ -z "${MYSQLD:-}" ] || { echo "MYSQLD=$MYSQLD is no mysqld of MySQL 8 or later" >&2 && exit 2; }
            lack="a mysqld of MySQL 8.0.29 or later, on PATH or named by MYSQLD"
            return 3
        fi
        driver mysql.connector 'mysql-connector-python>=9,<27'
        ;;
    duckdb) driver duckdb 'duckdb>=2,<3' ;;
    spark)
        has_java || packages openjdk-17-jre-headless || packages default-jre-headless
        if ! has_java; then
            lack="Java 17 or later"
            return 3
        fi
        driver pyspark 'pyspark>=4,<5'
        ;;
    *)
        echo "unknown engine $1: sqlite, postgresql, mariadb, mysql, duckdb, spark" >&2
        exit 2
        ;;
    esac
}

# The folder of the newest server that Debian installs.
servers_of_postgresql() {
    found=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1)
    echo "${found:-$(pg_config --bindir 2>/dev/null)}"
}

# The mysqld that MYSQLD names, or that of PATH; nothing where it is MariaDB's, which has the same name.
server_of_mysql() {
    found=${MYSQLD:-$(PATH=$PATH:/usr/sbin command -v mysqld)}
    [ -n "$found" ] && "$found" --version 2>/dev/null | grep -v MariaDB | grep -qE 'Ver ([89]|[1-9][0-9]+)[.]' && echo "$found"
}

# Settings that a session has to undo: the proof holds whatever those of a server are.
hostile_modes=ANSI_QUOTES,NO_BACKSLASH_ESCAPES,PIPES_AS_CONCAT,HIGH_NOT_PRECEDENCE,ONLY_FULL_GROUP_BY,\
PAD_CHAR_TO_FULL_LENGTH,IGNORE_SPACE,REAL_AS_FLOAT,NO_UNSIGNED_SUBTRACTION
hostile_settings="--character-set-server=latin1 --collation-server=latin1_swedish_ci --default-time-zone=+05:45 \
--max-sort-length=8 --div-precision-increment=0"
hostile_to_mariadb="$hostile_settings --sql-mode=$hostile_modes,EMPTY_STRING_IS_NULL \
--default-regex-flags=EXTENDED,MULTILINE,DOTALL,UNGREEDY"
hostile_to_mysql="$hostile_settings --sql-mode=$hostile_modes,TIME_TRUNCATE_FRACTIONAL"
# Those that have no option of the server.
hostile_statement="SET GLOBAL sql_select_limit = 2, GLOBAL sql_safe_updates = 1;"
# A database that is kept is measured, and SQL written by hand for usual settings runs on it too.
[ -z "$keep" ] || { hostile_to_mariadb=--character-set-server=utf8mb4 && hostile_to_mysql= && hostile_statement=; }

start_engine() {
    folder=$(mktemp -d /tmp/predicates-XXXXXX) && chmod 755 "$folder" || return 1
    data=$folder/data
    if [ -n "$keep" ]; then data=$keep/$1/data && mkdir -p "$keep/$1" || return 1; fi
    case $1 in
    postgresql)
        own postgres
        [ -d "$data" ] || unprivileged postgres "$postgres/initdb" -D "$data" -A trust -U postgres -E UTF8 \
            --locale=C.UTF-8 --no-sync >"$folder/log" 2>&1 || return 1
        server=postgresql && unprivileged postgres "$postgres/pg_ctl" -D "$data" -l "$folder/server.log" -w -o \
            "-c listen_addresses= -c unix_socket_directories=$folder -c fsync=off -c synchronous_commit=off \
            -c full_page_writes=off" start >/dev/null
        ;;
    mariadb)
        own mysql
        [ -d "$data" ] || unprivileged mysql mariadb-install-db --no-defaults --datadir="$data" --skip-test-db \
            --auth-root-authentication-method=normal >"$folder/log" 2>&1 || return 1
        server=mariadb
        echo "$hostile_statement" >"$folder/init.sql" && chmod 644 "$folder/init.sql"
        # shellcheck disable=SC2086
        unprivileged mysql "$(command -v mariadbd || echo /usr/sbin/mariadbd)" --no-defaults \
            --datadir="$data" --socket="$folder/socket" --pid-file="$folder/pid" --skip-networking \
            $hostile_to_mariadb --init-file="$folder/init.sql" --innodb-flush-log-at-trx-commit=0 --debug-no-sync >>"$folder/log" 2>&1 &
        listens $!
        ;;
    mysql)
        own mysql
        [ -d "$data" ] || unprivileged mysql "$mysqld" --no-defaults --initialize-insecure --datadir="$data" \
            >"$folder/log" 2>&1 || return 1
        server=mysql
        echo "$hostile_statement" >"$folder/init.sql" && chmod 644 "$folder/init.sql"
        # shellcheck disable=SC2086
        unprivileged mysql "$mysqld" --no-defaults \
            --datadir="$data" --socket="$folder/socket" --pid-file="$folder/pid" --skip-networking --mysqlx=OFF \
            --secure-file-priv=NULL --init-file="$folder/init.sql" --innodb-flush-log-at-trx-commit=0 --skip-log-bin \
            $hostile_to_mysql >>"$folder/log" 2>&1 &
        listens $!
        ;;
    esac
}

# Waits for the socket of the server whose process is given, as long as that runs.
listens() {
    launched=$1
    for _ in $(seq 300); do
        [ -S "$folder/socket" ] && return 0
        kill -0 "$launched" 2>/dev/null || return 1
        sleep 0.2
    done
    return 1
}

own() { [ "$(id -u)" -ne 0 ] || chown "$(account "$1")" "$folder" ${keep:+"$(dirname "$data")"}; }

prove() {
    engine=$1
    bridge=
    given=$options
    kept=${keep:+$keep/$engine}
    if [ "$engine" != sqlite ]; then bridge="-- $venv/bin/python $home/bridge.py $engine $folder $kept"; fi
    # The last option of a name counts.
    if [ "$engine" = spark ] && [ -n "$spark_count" ]; then given="$given --count $spark_count"; fi
    # shellcheck disable=SC2086
    "$program" "$engine" $given $bridge
}

for engine in $engines; do
    echo "== $engine"
    install_engine "$engine"
    case $? in
    0) ;;
    3) echo "SKIPPED: $engine needs $lack, which cannot be installed here" && continue ;;
    *)
        if [ "${CI:-}" = true ]; then
            echo "$engine: cannot be installed" >&2
            failed=1
        else
            echo "SKIPPED: $engine cannot be installed here"
        fi
        continue
        ;;
    esac
    if start_engine "$engine"; then
        prove "$engine" || failed=1
    else
        echo "$engine: the server does not start" >&2
        cat "$folder"/*log >&2
        failed=1
    fi
    stop
done
exit $failed
