import { createContext, useContext } from 'react'
import type { Place } from '../../data/columns.ts'
import type { Pipeline } from '../../data/pipelines.ts'
import type { AnyRecord } from '../../data/records.ts'
import type { Moves } from './moves.ts'

/** What every column of a board shares. */
export interface BoardContext {
  /** What is asked of leads beside their stage. */
  narrowed: Record<string, string>
  pipeline: Pipeline
  moves: Moves
  /** What a person of the account is called. */
  nameOf: (id: number) => string | undefined
  currency: string
  /** Unix seconds, of this minute. */
  now: number
  canEdit: (lead: AnyRecord) => boolean
  canAdd: boolean
  /** The lead whose menu is open. */
  menuOf: number | undefined
  onMenu: (lead: AnyRecord, button: HTMLElement) => void
  onMove: (lead: AnyRecord, to: Place) => void
  onAdd: (name: string, place: Place) => void
  /** Takes a lead along to the stage before or after. */
  onShift: (lead: AnyRecord, by: number) => void
  /** The lead that gets the focus when its column shows it. */
  focused: number | undefined
  onFocused: () => void
}

export const Board = createContext<BoardContext | null>(null)

export function useBoard(): BoardContext {
  const board = useContext(Board)
  if (!board) throw new Error('a column stands on a board')
  return board
}
