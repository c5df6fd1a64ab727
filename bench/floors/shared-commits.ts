import type Sqlite from 'better-sqlite3'

/** Runs each transaction in a savepoint and commits all of one turn together, before any is answered. */
export function sharedCommits(db: Sqlite.Database) {
  const [begin, savepoint, release, commit] = [
    db.prepare('begin immediate'),
    db.prepare('savepoint one'),
    db.prepare('release one'),
    db.prepare('commit'),
  ] as [Sqlite.Statement, Sqlite.Statement, Sqlite.Statement, Sqlite.Statement]
  let waiting: (() => void)[] = []

  const finish = () => {
    commit.run()
    const done = waiting
    waiting = []
    for (const resolve of done) resolve()
  }
  return <T>(work: () => T): Promise<T> => {
    if (waiting.length === 0) {
      begin.run()
      setImmediate(finish)
    }
    savepoint.run()
    const result = work()
    release.run()
    return new Promise((resolve) => waiting.push(() => resolve(result)))
  }
}
