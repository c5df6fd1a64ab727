import type { Answered, Cell } from './cells.ts'
import { leaksIn, missesIn } from './leaks.ts'
import type { Scene } from './scene.ts'

/** The number of parallel requests. */
const AT_ONCE = 6

/** Returns the answers in the order of the cells. */
export async function inParallel(
  cells: Cell[],
  send: (cell: Cell) => Promise<Answered>,
): Promise<Answered[]> {
  const answers: Answered[] = []
  const rest = [...cells.entries()]
  const worker = async () => {
    for (let next = rest.shift(); next; next = rest.shift()) answers[next[0]] = await send(next[1])
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return answers
}

/** An empty list is 204 (V4). missesIn detects that it should not be empty. */
const isFoundless = ({ method }: Cell, { status }: Answered): boolean => method === 'GET' && status === 204

/** The faults of an answer: a wrong status, missing content, or hidden content. */
export function faultsOf(scene: Scene, cell: Cell, answer: Answered): string[] {
  const { name, expected } = cell
  const leaks = leaksIn(scene, cell, answer)
  return [
    ...(answer.status === expected || (isFoundless(cell, answer) && expected === 200)
      ? []
      : [`${name}: ${answer.status} and not ${expected}: ${answer.text.slice(0, 300)}`]),
    ...missesIn(cell, answer).map((miss) => `${name}: ${miss}: ${answer.text.slice(0, 300)}`),
    ...(leaks.length === 0 ? [] : [`${name}: tells of ${leaks.join(', ')}`]),
  ]
}
