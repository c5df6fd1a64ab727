import { test } from 'vitest'
import { runsOn } from '../long.ts'

/**
 * A test beside others that run on both databases, whose result does not depend on the database: in the short form it
 * runs on the embedded one only.
 */
export const onEmbedded = test.runIf(runsOn('sqlite'))
