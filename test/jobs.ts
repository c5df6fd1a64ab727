import type { Answer, Client } from './client.ts'
import { surfaceOf } from './records.ts'
import type { World } from './world.ts'

/** Sends a CSV file as the draft of an import. */
export const upload = (
  caller: Client,
  entity_type: string,
  csv: string | Buffer,
  name = 'table.csv',
  headers: Record<string, string> = {},
): Promise<Answer> =>
  caller.post(
    `${surfaceOf(caller)}/jobs/imports?entity_type=${entity_type}&name=${encodeURIComponent(name)}`,
    csv,
    { 'content-type': 'text/csv', ...headers },
  )

/** Runs the import of a file with these settings and returns the job. */
export async function imported(
  { app }: World,
  caller: Client,
  entity_type: string,
  csv: string | Buffer,
  setup: object = {},
): Promise<Answer['body']> {
  const draft = await upload(caller, entity_type, csv)
  if (draft.status !== 200) throw new Error(`not taken: ${draft.text}`)
  const at = `${surfaceOf(caller)}/jobs/${draft.body.id}`
  for (const answer of [await caller.patch(at, setup), await caller.post(`${at}/start`)])
    if (answer.status !== 200) throw new Error(`not started: ${answer.text}`)
  await app.runner.runDue()
  return (await caller.get(at)).body
}

/** Changes a job and runs everything that follows. */
export async function moved(
  { app }: World,
  caller: Client,
  id: number,
  move: 'undo' | 'cancel',
): Promise<Answer['body']> {
  const at = `${surfaceOf(caller)}/jobs/${id}`
  const answer = await caller.post(`${at}/${move}`)
  if (answer.status !== 200) throw new Error(`not moved: ${answer.text}`)
  await app.runner.runDue()
  return (await caller.get(at)).body
}
