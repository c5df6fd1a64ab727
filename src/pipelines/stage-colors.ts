import { Type } from 'typebox'
import { ANY_CASE } from '../http/bodies/lenient-bodies.ts'
import { stageColors } from './stage-color-types.ts'

/** The colour of a stage without one. */
export const DEFAULT_COLOR: string = stageColors[0]

/** The colours of the first stages of a new pipeline, from cold to hot. */
export const firstColors = ['#98cbff', '#fffd7f', '#ffce5a', '#ffc8c8'] as const

/** The colours of system stages, as they are returned. */
export const systemColors = { unsorted: '#c1c1c1', won: '#CCFF66', lost: '#D5D8DB' } as const

/** A colour of a stage in a body: any returned colour, in any case. */
export const WrittenColor = Type.Enum([...stageColors, ...Object.values(systemColors)], { format: ANY_CASE })
