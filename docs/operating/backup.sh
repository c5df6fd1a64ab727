#!/bin/sh
# Writes a backup while the server runs, and deletes backups that are older than KEEP_DAYS.
# Prints one line; an error ends it with another code than 0, and deletes nothing.
set -eu
: "${PATCHBAY_ENV:=/etc/patchbay/patchbay.env}"
: "${PATCHBAY_HOME:=/opt/patchbay}"
: "${BACKUP_DIR:=/var/backups/patchbay}"
: "${KEEP_DAYS:=14}"

set -a
. "$PATCHBAY_ENV"
set +a
umask 077
cd "$PATCHBAY_HOME"
node_modules/.bin/node dist/server/main.js backup "$BACKUP_DIR/patchbay-$(date -u +%Y%m%dT%H%M%SZ).gz"
# Also what a killed backup has left.
find "$BACKUP_DIR" -maxdepth 1 -name 'patchbay-*.gz*' -mtime "+$KEEP_DAYS" -delete
