import { createClient } from '../../../sdk/client.ts'
import { acceptForm, addPipeline, addPurchase, fillFields, linkRecords, subscribe } from './more-tasks.ts'
import {
  accountCurrency,
  addCallNote,
  addLead,
  completeTask,
  connect,
  createProvider,
  leadsWithContacts,
  moveLead,
  phonesOf,
  pushMessage,
  statusChanges,
} from './ten-tasks.ts'

/** Does the tasks with the settings of its first argument, and prints what came of each as JSON. */
const { base_url, code, keys, contact_id, field_id, stage, channel, now } = JSON.parse(
  process.argv[2] ?? '{}',
)

const token = await connect(createClient(base_url), keys, code)
const client = createClient(base_url, () => token)
const lead_id = await addLead(client, { field_id, tag: 'website' })
const moved_at = await moveLead(client, { id: lead_id, ...stage })
const provider = createProvider(base_url, channel.secret, () => new Date(now * 1000))
const done = {
  account: await accountCurrency(client),
  leads: await leadsWithContacts(client, 2),
  moved_at,
  call: await addCallNote(client, lead_id),
  changes: await statusChanges(client),
  phones: await phonesOf(client, contact_id),
  task: await completeTask(client, lead_id, now + 3600),
  history: await pushMessage(provider, channel.scope_id, now),
  pipeline: await addPipeline(client),
  values: await fillFields(client),
  form: await acceptForm(client),
  linked: await linkRecords(client, { lead_id, contact_id }),
  webhook: await subscribe(client),
  customer: await addPurchase(client),
}
process.stdout.write(JSON.stringify(done))
