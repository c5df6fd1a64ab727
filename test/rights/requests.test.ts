import { expect, test } from 'vitest'
import { times } from '../long.ts'
import { ofSample } from '../sample.ts'
import { type Answered, ask, type Cell, type Sheet, sheetsOf } from './cells.ts'
import type { IdPlace } from './declaration.ts'
import { isRecord, type Resource, seesAll } from './expected.ts'
import { faultsOf, inParallel } from './judge.ts'
import { createScene, type Scene } from './scene.ts'
import { changesBetween, snapshotOf } from './snapshot.ts'

/** The number of addresses with writes between two snapshots, which read every row. */
const STRIDE = times(16, 1)

// One scene for both: its people and objects take as long to create as the requests.
test('forbidden requests are refused as declared, reveal nothing and leave no trace; allowed ones succeed', {
  timeout: times(600_000, 3_600_000),
}, async () => {
  const scene = await createScene()
  const sheets = await sheetsOf(scene)
  expect(await faultsOfRefusals(scene, sheets), ofSample).toEqual([])
  expect(await faultsOfAllowances(scene, sheets), ofSample).toEqual([])
})

async function faultsOfRefusals(scene: Scene, sheets: readonly Sheet[]): Promise<string[]> {
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
  return failures
}

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

/** The faults in the answers to allowed requests, which may not reveal what is hidden from their caller. */
async function faultsOfAllowances(scene: Scene, sheets: readonly Sheet[]): Promise<string[]> {
  const failures: string[] = []
  for (const sheet of sheets) {
    const allowed = sheet.cells.filter(({ expected }) => expected < 300)
    const changed = sheet.isWrite ? allowed.filter(isChanged) : []
    const fresh = await scene.others(changed.map(({ resource }) => resource as Resource))
    const idOf = new Map(changed.map((cell, i) => [cell, fresh[i]?.id]))
    const answers = await inParallel(allowed, (cell) =>
      ask(scene, cell, idOf.get(cell) ?? cell.resource?.id ?? null),
    )
    failures.push(...allowed.flatMap((cell, i) => faultsOf(scene, cell, answers[i] as Answered)))
  }
  return failures
}

/** Whether the request may change the object of its id. It then gets an object of its own. */
const isChanged = ({ caller, place, resource }: Cell): boolean =>
  resource?.account_id === caller.account_id &&
  // Additions to a list do not affect other requests.
  place?.right !== 'add' &&
  (place?.right !== undefined || isAddressed(place))

const isAddressed = (place: IdPlace | null): boolean => place?.at === 'path' || place?.at === 'item'
