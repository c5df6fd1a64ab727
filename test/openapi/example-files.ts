import type { Client } from '../client.ts'
import { pathOf } from '../fixtures/files.ts'
import type { World } from '../world.ts'

const OFFER = '%PDF-1.7 An offer for the kitchen'

/** Uploads a file in one part, changes it, and returns its uuid. */
export async function sendFiles(v4: Client): Promise<string> {
  const files = '/drive/v1.0/files'
  const upload = { file_name: 'Offer.pdf', file_size: OFFER.length, content_type: 'application/pdf' }
  const { body: session } = await v4.post('/drive/v1.0/sessions', upload)
  const bytes = { 'content-type': 'application/octet-stream' }
  const { body: file } = await v4.post(pathOf(session.upload_url), Buffer.from(OFFER), bytes)
  await v4.patch(`${files}/${file.uuid}`, { name: 'Offer for the Novaks.pdf' })
  await v4.delete(files, [{ uuid: file.uuid }])
  await v4.post(`${files}/restore`, [{ uuid: file.uuid }])
  const versions = `/${file.uuid}/versions`
  for (const path of ['', `/${file.uuid}`, versions, `${versions}/${file.version_uuid}`])
    await v4.get(files + path)
  return file.uuid
}

const CONTACTS = 'Name,Phone\nEva Novak,+1 555 0100\nJan Horak,+1 555 0101\n'

/** Sets up an import of contacts. */
export async function sendImport(v4: Client): Promise<void> {
  const path = '/api/v4/jobs/imports?entity_type=contacts&name=contacts.csv'
  const { body: job } = await v4.post(path, CONTACTS, { 'content-type': 'text/csv' })
  const at = `/api/v4/jobs/${job.id}`
  await v4.patch(at, { duplicates: { match: ['phone'], action: 'update' }, defaults: { tags: ['2026'] } })
  await v4.get(`${at}/preview`)
  await v4.get(at)
  await v4.post(`${at}/cancel`)
}

/** Imports leads of which one is refused, reads the results, and undoes the import. */
export async function sendImportUntilUndo({ app }: World, v4: Client): Promise<void> {
  const path = '/api/v4/jobs/imports?entity_type=leads&name=leads.csv'
  const leads = 'Name,Price\nStairs for the Reeds,4200\nStairs for the Stones,much\n'
  const { body: job } = await v4.post(path, leads, { 'content-type': 'text/csv' })
  const at = `/api/v4/jobs/${job.id}`
  await v4.post(`${at}/start`)
  await app.runner.runDue()
  for (const end of ['failures', 'report']) await v4.get(`${at}/${end}`)
  await v4.post(`${at}/undo`)
  await app.runner.runDue()
}
