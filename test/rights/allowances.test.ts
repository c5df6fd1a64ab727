import { expect, test } from 'vitest'
import { type Answered, ask, type Cell, sheetsOf } from './cells.ts'
import type { IdPlace } from './declaration.ts'
import type { Thing } from './expected.ts'
import { faultsOf, inParallel } from './judge.ts'
import { stage } from './scene.ts'

test('who may is let, and is told of nothing that he may not see', { timeout: 600_000 }, async () => {
  const scene = await stage()
  const failures: string[] = []
  for (const sheet of await sheetsOf(scene)) {
    const allowed = sheet.cells.filter(({ expected }) => expected < 300)
    const changed = sheet.isWrite ? allowed.filter(isChanged) : []
    const fresh = await scene.others(changed.map(({ thing }) => thing as Thing))
    const idOf = new Map(changed.map((cell, i) => [cell, fresh[i]?.id]))
    const answers = await inParallel(allowed, (cell) =>
      ask(scene, cell, idOf.get(cell) ?? cell.thing?.id ?? null),
    )
    failures.push(...allowed.flatMap((cell, i) => faultsOf(scene, cell, answers[i] as Answered)))
  }
  expect(failures).toEqual([])
})

/** Whether the request may change what its id names: then it is given one that no other request needs. */
const isChanged = ({ caller, place, thing }: Cell): boolean =>
  thing?.account_id === caller.account_id &&
  // What is added to a list is nothing to other requests.
  place?.right !== 'add' &&
  (place?.right !== undefined || isAddressed(place))

const isAddressed = (place: IdPlace | null): boolean => place?.at === 'path' || place?.at === 'item'
