import type { Context } from '../../context.ts'

export const MINUTE = 60
export const HOUR = 3_600
export const DAY = 86_400

/** The context at another time. */
export function atTime(ctx: Context, seconds: number): Context {
  return { ...ctx, clock: () => seconds * 1000, now: () => seconds }
}

/** The context some seconds later. */
export const later = (ctx: Context, seconds: number): Context => atTime(ctx, ctx.now() + seconds)
