import { removeRulesOf } from '../automation/automation.ts'
import type { Context } from '../context.ts'
import { hasCustomersIn, hasLeadsIn } from '../entities/entities.ts'
import { moveSources } from '../integrations/integrations.ts'
import type { StageUse } from '../pipelines/pipelines.ts'

/** The use of stages by the slices above pipelines. */
export const stageUseOf = (ctx: Context): StageUse => ({
  hasLeads: hasLeadsIn,
  hasCustomers: hasCustomersIn,
  moveSources,
  removeRules: removeRulesOf(ctx),
})
