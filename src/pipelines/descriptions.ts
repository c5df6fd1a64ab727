import type { StatusRow } from '../db/tables.ts'
import type { Description, WrittenDescriptions } from './schemas.ts'

type Level = Description['level']

/** The stored form of a description. */
interface StoredDescription {
  level: Level
  description: string
  created_at: number
  created_by: number
  updated_at: number
  updated_by: number
}

/** The author and the time of a change, in Unix seconds. */
export interface Writing {
  user_id: number
  now: number
}

const parse = (text: string): StoredDescription[] => JSON.parse(text)

/** The stored descriptions after a write. An unchanged one keeps its author and time. */
export function writtenDescriptions(
  before: string,
  written: WrittenDescriptions,
  { user_id, now }: Writing,
): string {
  const known = new Map(parse(before).map((one) => [one.level, one]))
  const after = (written ?? []).map(({ level, description }): StoredDescription => {
    const old = known.get(level)
    if (old?.description === description) return old
    return {
      level,
      description,
      created_at: old?.created_at ?? now,
      created_by: old?.created_by ?? user_id,
      updated_at: now,
      updated_by: user_id,
    }
  })
  return JSON.stringify(after)
}

/** A stage has at most one description per level, so the number of the level is its id. */
const numbers: Record<Level, number> = { newbie: 1, candidate: 2, master: 3 }

export function shownDescriptions({ account_id, pipeline_id, id, descriptions }: StatusRow): Description[] {
  return parse(descriptions).map(
    ({ level, description, created_at, created_by, updated_at, updated_by }) => ({
      id: numbers[level],
      account_id,
      created_at: dateTime(created_at),
      created_by,
      updated_at: dateTime(updated_at),
      updated_by,
      pipeline_id,
      status_id: id,
      level,
      description,
    }),
  )
}

/** `2026-03-01 12:00:00`, UTC. */
const dateTime = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')
