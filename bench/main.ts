import { parseArgs } from 'node:util'
import { benchAuth } from './auth.ts'
import { type DatabaseName, databases } from './databases.ts'
import { machine, today } from './machine.ts'
import { benchRecords } from './records.ts'
import { type Result, tableOf, writeSection } from './report.ts'
import type { Options } from './rounds.ts'

interface Subject {
  title: string
  run(database: DatabaseName, options: Options): Promise<Result[]>
}

const subjects: Record<string, Subject> = {
  auth: { title: 'Tokens', run: benchAuth },
  records: { title: 'Records', run: benchRecords },
}

const usage = `Usage: npm run bench -- SUBJECT [--database ${databases.join('|')}] [--seconds N] [--rounds N] [--write]

Subjects: ${Object.keys(subjects).join(', ')}
Each work is measured beside its floor, in turns. Without --database both are measured; --write keeps the table in
bench/RESULTS.md. Only ratios mean something from one machine to the next.
`

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      database: { type: 'string' },
      seconds: { type: 'string', default: '3' },
      rounds: { type: 'string', default: '5' },
      write: { type: 'boolean', default: false },
    },
  })
  const name = positionals[0] ?? ''
  const subject = subjects[name]
  const chosen = databases.filter((one) => values.database === undefined || values.database === one)
  const options = { seconds: Number(values.seconds), rounds: Number(values.rounds) }
  if (!subject || chosen.length === 0 || !(options.seconds > 0) || !(options.rounds > 0)) {
    process.stderr.write(usage)
    process.exitCode = 2
    return
  }
  const results: Result[] = []
  for (const database of chosen) results.push(...(await subject.run(database, options)))
  const table = tableOf(results)
  process.stdout.write(`${table}\n`)
  if (!values.write) return
  const how = `${options.rounds} rounds of ${options.seconds} s, 16 connections (4 for pages and batches), medians`
  writeSection(name, `## ${subject.title}\n\n${today()}. ${machine()}. ${how}.\n\n${table}`)
}

await main()
