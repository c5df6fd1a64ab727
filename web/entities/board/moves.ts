import { useState } from 'react'
import { isAt, type Place, placeInColumns } from '../../data/columns.ts'
import type { Stage } from '../../data/pipelines.ts'
import { queryClient } from '../../data/query-client.ts'
import { type AnyRecord, recordKeys } from '../../data/records.ts'
import type { Totals } from '../../data/totals.ts'

/** A lead that was moved to another stage. */
export interface Move {
  lead: AnyRecord
  to: Place
  /** The server confirmed it: only a column that was not reloaded still needs it. */
  isDone?: boolean
}
export type Moves = ReadonlyMap<number, Move>

/** The place of a stage, as leads store it. */
export const placeOf = ({ id, pipeline_id }: Stage): Place => ({ pipeline_id, status_id: id })

/**
 * Keeps pending moves, which columns and totals apply as if they were done. `end` removes the move of a lead, or
 * only the given move.
 */
export function useMoves() {
  const [moves, setMoves] = useState<Moves>(new Map())
  const begin = (move: Move) => setMoves((before) => new Map(before).set(move.lead.id, move))
  const end = (id: number, only?: Move) =>
    setMoves((before) => {
      if (only && before.get(id) !== only) return before
      const after = new Map(before)
      after.delete(id)
      return after
    })
  return { moves, begin, end }
}

/**
 * Applies pending moves to the leads of a column; moved leads come first. `records` is undefined until it is
 * loaded.
 */
export function withMoves(records: AnyRecord[] | undefined, place: Place, moves: Moves): AnyRecord[] {
  const shown = new Map([...moves].filter(([, { isDone }]) => !isDone || !records))
  const here = (records ?? []).filter((record) => isAt(shown.get(record.id)?.to ?? record, place))
  const known = new Set(here.map(({ id }) => id))
  const coming = [...shown.values()]
    .filter(({ lead, to }) => isAt(to, place) && !known.has(lead.id))
    .map(({ lead, to }) => ({ ...lead, ...to }))
  return [...coming.toReversed(), ...here]
}

export interface Sum {
  total: number
  sum: number
}

/** Applies pending moves to the count and total of a stage. */
export function sumOf(totals: Totals | undefined, place: Place, moves: Moves): Sum | undefined {
  if (!totals) return undefined
  const read = totals._embedded.statuses.find((one) => isAt(one, place))
  const sum = { total: read?.total ?? 0, sum: read?.sum ?? 0 }
  for (const { lead, to, isDone } of moves.values()) {
    if (isDone) continue
    const change = Number(isAt(to, place)) - Number(isAt(lead, place))
    sum.total += change
    sum.sum += change * (lead.price ?? 0)
  }
  return sum
}

/** Writes a completed move to the cached columns and totals. */
export function keepMove({ lead, to }: Move, changed: Partial<AnyRecord>): void {
  placeInColumns([{ ...lead, ...to, ...changed }], [lead.id])
  queryClient.setQueriesData<Totals>(
    { queryKey: recordKeys.totals('leads') },
    (totals) => totals && { ...totals, _embedded: { statuses: shifted(totals, { lead, to }) } },
  )
  queryClient.invalidateQueries({ queryKey: recordKeys.totals('leads') })
  queryClient.invalidateQueries({ queryKey: [...recordKeys.one('leads'), lead.id] })
}

function shifted({ _embedded: { statuses } }: Totals, { lead, to }: Move) {
  const rest = statuses.filter((one) => !isAt(one, to))
  const target = statuses.find((one) => isAt(one, to)) ?? { ...to, total: 0, sum: 0 }
  const price = lead.price ?? 0
  return [...rest, { ...target, total: target.total + 1, sum: target.sum + price }].map((one) =>
    isAt(lead, one) ? { ...one, total: one.total - 1, sum: one.sum - price } : one,
  )
}
