import type { Tx } from '../../db/database.ts'
import type { FieldSettings, Stage } from '../fields/fields.ts'
import { fieldsWithSettings, setSettings } from '../fields/queries.ts'

const ofStages = ['required_statuses', 'hidden_statuses'] as const

/** Removes a deleted stage, or all stages of a deleted pipeline, from the settings of fields. The account is locked. */
export async function forgetStages(
  tx: Tx,
  account_id: number,
  pipeline_id: number,
  status_id: number | null,
): Promise<void> {
  const isLeft = (stage: Stage) =>
    stage.pipeline_id !== pipeline_id || (status_id !== null && stage.status_id !== status_id)
  const rows = await fieldsWithSettings(tx, account_id)
  const changed = rows.flatMap(({ id, settings: text }) => {
    const settings = JSON.parse(text) as FieldSettings
    const named = ofStages.filter((name) => settings[name]?.some((stage) => !isLeft(stage)))
    for (const name of named) settings[name] = settings[name]?.filter(isLeft) ?? []
    return named.length > 0 ? [{ account_id, id, settings: JSON.stringify(settings) }] : []
  })
  await setSettings(tx, changed)
}
