import { createContext, useContext } from 'react'
import type { Pipeline, StagePlace } from '../../data/pipelines.ts'
import type { AnyRecord } from '../../data/records.ts'
import type { Moves } from './moves.ts'

/** The state that all columns of a board share. */
export interface BoardContext {
  /** The filters of the board, besides the stage. */
  narrowed: Record<string, string>
  pipeline: Pipeline
  moves: Moves
  /** Returns the name of a person of the account. */
  nameOf: (id: number) => string | undefined
  currency: string
  /** Unix seconds, updated every minute. */
  now: number
  /** When tomorrow begins in the account's time zone. */
  tomorrow: number
  canEdit: (lead: AnyRecord) => boolean
  canAdd: boolean
  /** The lead whose menu is open. */
  menuOf: number | undefined
  onMenu: (lead: AnyRecord, button: HTMLElement) => void
  onMove: (lead: AnyRecord, to: StagePlace) => void
  /** The result is false if the lead was refused. */
  onAdd: (name: string, place: StagePlace) => Promise<boolean>
  /** Moves a lead to the previous or next stage. */
  onShift: (lead: AnyRecord, by: number) => void
  /** The lead to focus when its column shows it. */
  focused: number | undefined
  onFocused: () => void
}

export const Board = createContext<BoardContext | null>(null)

export function useBoard(): BoardContext {
  const board = useContext(Board)
  if (!board) throw new Error('a column stands on a board')
  return board
}
