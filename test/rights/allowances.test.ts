import { expect, test } from 'vitest'
import { type Answered, ask, type Cell, sheetsOf } from './cells.ts'
import type { IdPlace } from './declaration.ts'
import type { Resource } from './expected.ts'
import { faultsOf, inParallel } from './judge.ts'
import { createScene } from './scene.ts'

test('allowed requests succeed and reveal nothing that is hidden', { timeout: 600_000 }, async () => {
  const scene = await createScene()
  const failures: string[] = []
  for (const sheet of await sheetsOf(scene)) {
    const allowed = sheet.cells.filter(({ expected }) => expected < 300)
    const changed = sheet.isWrite ? allowed.filter(isChanged) : []
    const fresh = await scene.others(changed.map(({ resource }) => resource as Resource))
    const idOf = new Map(changed.map((cell, i) => [cell, fresh[i]?.id]))
    const answers = await inParallel(allowed, (cell) =>
      ask(scene, cell, idOf.get(cell) ?? cell.resource?.id ?? null),
    )
    failures.push(...allowed.flatMap((cell, i) => faultsOf(scene, cell, answers[i] as Answered)))
  }
  expect(failures).toEqual([])
})

/** Whether the request may change the object of its id. It then gets an object of its own. */
const isChanged = ({ caller, place, resource }: Cell): boolean =>
  resource?.account_id === caller.account_id &&
  // Additions to a list do not affect other requests.
  place?.right !== 'add' &&
  (place?.right !== undefined || isAddressed(place))

const isAddressed = (place: IdPlace | null): boolean => place?.at === 'path' || place?.at === 'item'
