import { useMemo } from 'react'
import { columnRead, placeInColumns } from '../../data/columns.ts'
import { isAt, type StagePlace } from '../../data/pipelines.ts'
import { queryClient } from '../../data/query-client.ts'
import { type AnyRecord, recordKeys } from '../../data/records.ts'
import type { Totals } from '../../data/totals.ts'
import { pendingWrites, runWrite, usePendingWrites, writesTo } from '../../data/writes.ts'
import { type MoveValues, moveLead } from './move-values.ts'

/** A lead that was moved to another stage. */
export interface Move {
  lead: AnyRecord
  to: StagePlace
  /** The server confirmed it: only a column that was not reloaded still needs it. */
  isDone?: boolean
}
export type Moves = ReadonlyMap<number, Move>

/** A move with the values that it needs. */
export interface LeadMove extends Move {
  values: MoveValues
}

const MOVES = ['move']
const ARRIVALS = ['arrival']

interface Sending {
  /** The filters of the board. */
  narrowed: Record<string, string>
  onMoved: (move: Move) => void
  /** The move is shown until this ends. */
  onRefused: (error: Error) => Promise<void>
}

/** Moves of one lead go out in order. Of several moves that wait, only the last is sent. */
export function sendMove(move: LeadMove, { narrowed, onMoved, onRefused }: Sending): void {
  const place = [...MOVES, move.lead.id]
  const isLast = () => pendingWrites(place).at(-1) === move
  runWrite(
    {
      ...writesTo(place),
      mutationFn: async ({ lead, to, values }: LeadMove) =>
        isLast() ? await moveLead(lead.id, to, values) : null,
      onSuccess: (stored) => {
        if (!stored) return
        keepMove(move, stored)
        runWrite(arrival(narrowed), move)
        onMoved(move)
      },
      onError: (error) => (isLast() ? onRefused(error) : undefined),
      gcTime: 0,
    },
    move,
  )
}

/** A lead that was moved is shown in a column that is being read. Columns do not wait for each other. */
const arrival = (narrowed: Record<string, string>) => ({
  mutationKey: writesTo(ARRIVALS).mutationKey,
  mutationFn: ({ to }: Move) => columnRead(narrowed, to),
  gcTime: 0,
})

/** The moves that columns and totals apply as if they were done, among them the one that a question is about. */
export function useMoves(question: Move | undefined): Moves {
  const arriving = usePendingWrites<Move>(ARRIVALS)
  const pending = usePendingWrites<Move>(MOVES)
  return useMemo(() => {
    const done = arriving.map((move): Move => ({ ...move, isDone: true }))
    const all = [...done, ...pending, ...(question ? [question] : [])]
    return new Map(all.map((move) => [move.lead.id, move]))
  }, [arriving, pending, question])
}

/**
 * Applies pending moves to the leads of a column; moved leads come first. `records` is undefined until it is
 * loaded.
 */
export function withMoves(records: AnyRecord[] | undefined, place: StagePlace, moves: Moves): AnyRecord[] {
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
  /** False if more leads match than were counted. */
  isComplete: boolean
}

/** Applies pending moves to the count and total of a stage. */
export function sumOf(totals: Totals | undefined, place: StagePlace, moves: Moves): Sum | undefined {
  if (!totals) return undefined
  const read = totals._embedded.statuses.find((one) => isAt(one, place))
  // If not all leads were counted, none of those that were may be in the stage.
  if (!read && !totals.is_complete) return undefined
  const sum = { total: read?.total ?? 0, sum: read?.sum ?? 0, isComplete: read?.is_complete ?? true }
  for (const { lead, to, isDone } of moves.values()) {
    if (isDone) continue
    const change = Number(isAt(to, place)) - Number(isAt(lead, place))
    sum.total += change
    sum.sum += change * (lead.price ?? 0)
  }
  return sum
}

/** Writes a completed move to the cached columns and totals. */
function keepMove({ lead, to }: Move, { updated_at }: Pick<AnyRecord, 'updated_at'>): void {
  placeInColumns([{ ...lead, ...to, updated_at }], [lead.id])
  queryClient.setQueriesData<Totals>(
    { queryKey: recordKeys.totals('leads') },
    (totals) => totals && { ...totals, _embedded: { statuses: shifted(totals, { lead, to }) } },
  )
  queryClient.invalidateQueries({ queryKey: recordKeys.totals('leads') })
  queryClient.invalidateQueries({ queryKey: [...recordKeys.one('leads'), lead.id] })
}

function shifted({ _embedded: { statuses }, is_complete }: Totals, { lead, to }: Move) {
  const rest = statuses.filter((one) => !isAt(one, to))
  const target = statuses.find((one) => isAt(one, to)) ?? { ...to, total: 0, sum: 0, is_complete }
  const price = lead.price ?? 0
  return [...rest, { ...target, total: target.total + 1, sum: target.sum + price }].map((one) =>
    isAt(lead, one) ? { ...one, total: one.total - 1, sum: one.sum - price } : one,
  )
}
