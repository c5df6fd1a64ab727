/** The states of a run: it waits for its time, a URL is being called, or it has ended. */
export const runStates = ['waiting', 'sending', 'done', 'skipped', 'failed'] as const
export type RunState = (typeof runStates)[number]

/** Why a run did not act. */
const skipReasons = [
  'left',
  'lead_deleted',
  'rule_disabled',
  'rule_removed',
  'loop',
  'too_long',
  'no_conversation',
  'bot_stopped',
] as const
export type SkipReason = (typeof skipReasons)[number]

/** Objects that a rule names and that were deleted. */
export const missingThings = [
  'person_missing',
  'stage_missing',
  'task_type_missing',
  'loss_reason_missing',
  'widget_missing',
] as const
export type MissingThing = (typeof missingThings)[number]

/** Why a run failed. The last five are of a call that did not succeed. */
const failReasons = [
  ...missingThings,
  'channel_closed',
  'refused_change',
  'internal',
  'bad_url',
  'forbidden_address',
  'gone',
  'refused',
  'exhausted',
] as const
export type FailReason = (typeof failReasons)[number]

export const runReasons = [...skipReasons, ...failReasons] as const
