import type Sqlite from 'better-sqlite3'

/**
 * Commits all transactions of one turn together, before any is answered. Each after the first has a savepoint, as one needs that
 * can be undone alone.
 */
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
    const isFirst = waiting.length === 0
    if (isFirst) {
      begin.run()
      setImmediate(finish)
    } else savepoint.run()
    const result = work()
    if (!isFirst) release.run()
    return new Promise((resolve) => waiting.push(() => resolve(result)))
  }
}
