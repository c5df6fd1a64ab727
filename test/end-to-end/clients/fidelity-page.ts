import { readFileSync } from 'node:fs'
import type { Summary } from './every-method.ts'

/** The numbers and the failures of docs/fidelity.md. */
export interface FidelityPage {
  totals: Record<'client' | 'version' | 'methods' | 'works' | 'in_client' | 'in_patchbay', string>[]
  failures: Record<'client' | 'method' | 'result' | 'reason', string>[]
}

export function readFidelityPage(): FidelityPage {
  const page = readFileSync(new URL('../../../docs/fidelity.md', import.meta.url), 'utf8')
  const rows = page
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')))
  return {
    totals: rows.flatMap(([, client = '', version = '', methods = '', works = '', own = '', ours]) =>
      ours ? [{ client, version, methods, works, in_client: own, in_patchbay: ours }] : [],
    ),
    failures: rows.flatMap(([, client = '', method = '', result = '', reason = '', , more]) =>
      more === undefined ? [{ client, method, result, reason }] : [],
    ),
  }
}

/** The page that a run shows. It takes the reasons from the page as it is. */
export function fidelityPageOf(summaries: Summary[], { failures }: FidelityPage): FidelityPage {
  const failed = summaries.flatMap(({ client, fails }) =>
    Object.entries(fails).map(([method, result]) => {
      const known = failures.find((one) => one.client === client && one.method === method)
      return { client, method, result, reason: known?.reason ?? 'not on the page' }
    }),
  )
  const count = (of: string, isOwn: boolean) =>
    failed.filter(({ client, reason }) => client === of && reason.startsWith('client:') === isOwn).length
  return {
    totals: summaries.map(({ client, version, methods, works }) => ({
      client,
      version,
      methods: String(methods),
      works: String(works),
      in_client: String(count(client, true)),
      in_patchbay: String(count(client, false)),
    })),
    failures: failed,
  }
}
