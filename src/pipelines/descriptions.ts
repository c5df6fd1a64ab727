import type { StatusRow } from '../db/tables.ts'
import type { Description, WrittenDescriptions } from './schemas.ts'

type Level = Description['level']

/** As it is stored with its stage. */
interface StoredDescription {
  level: Level
  description: string
  created_at: number
  created_by: number
  updated_at: number
  updated_by: number
}

/** Who writes, and when, in Unix seconds. */
export interface Writing {
  user_id: number
  now: number
}

const parse = (text: string): StoredDescription[] => JSON.parse(text)

/** The descriptions as they are stored after a body wrote them; one that stays as it was keeps who wrote it and when. */
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

/** A stage has one description of each level at most, so the level's number is its id there. */
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
