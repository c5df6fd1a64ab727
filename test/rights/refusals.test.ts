import { expect, test } from 'vitest'
import { times } from '../long.ts'
import { type Answered, ask, type Cell, sheetsOf } from './cells.ts'
import { isRecord, seesAll } from './expected.ts'
import { faultsOf, inParallel } from './judge.ts'
import { createScene } from './scene.ts'
import { changesBetween, snapshotOf } from './snapshot.ts'

/** The number of addresses with writes between two snapshots, which read every row. */
const STRIDE = times(12, 1)

test('forbidden requests are refused as declared, reveal nothing and leave no trace', {
  timeout: 600_000,
}, async () => {
  const scene = await createScene()
  const sheets = await sheetsOf(scene)
  const failures: string[] = []
  let before = await snapshotOf(scene.world.ctx)
  let written: string[] = []
  const compare = async () => {
    const after = await snapshotOf(scene.world.ctx)
    const changes = changesBetween(before, after)
    if (changes.length > 0) failures.push(`${written.join(' or ')}: a refusal changed ${changes.join(', ')}`)
    before = after
    written = []
  }
  for (const sheet of sheets) {
    const refused = sheet.cells.filter(({ expected }) => expected >= 300)
    const answers = await inParallel(refused, (cell) => ask(scene, cell, cell.resource?.id ?? null))
    const answered = new Map<string, { cell: Cell; text: string }>()
    refused.forEach((cell, i) => {
      const answer = answers[i] as Answered
      failures.push(...faultsOf(scene, cell, answer))
      const text = withoutId(cell, answer)
      const first = answered.get(whoseSecret(cell))
      if (!first) answered.set(whoseSecret(cell), { cell, text })
      else if (first.text !== text)
        failures.push(`${cell.name}: not as ${first.cell.resource?.state}: ${text} and ${first.text}`)
    })
    if (sheet.isWrite) written.push(sheet.name)
    if (written.length === STRIDE) await compare()
  }
  await compare()
  expect(failures).toEqual([])
})

/**
 * The group of cells with equal answers: those of one caller, as far as missing objects are a secret. Settings of their
 * account are not, nor are messages for a caller who sees the chat.
 */
function whoseSecret({ caller, place, list, expected, resource }: Cell): string {
  const isOpen = place?.of === 'messages' || (place && seesAll(caller, place.of, list))
  const isSetting = place && !isRecord(place.of) && resource?.account_id === caller.account_id
  return `${caller.name} ${list} ${isOpen ? expected : ''} ${isSetting ? 'setting' : ''}`
}

/** The answer without ids. */
function withoutId({ resource }: Cell, { status, text, headers }: Answered): string {
  const { 'x-request-id': _, 'content-length': __, date: ___, ...rest } = headers
  const whole = JSON.stringify([status, rest, text])
  return resource ? whole.replaceAll(new RegExp(`(?<!\\d)${resource.id}(?!\\d)`, 'g'), '{id}') : whole
}
