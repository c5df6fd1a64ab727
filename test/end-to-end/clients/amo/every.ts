/** Every method of `@shevernitskiy/amo`. */
import { Amo } from '@shevernitskiy/amo'
import { demo, host } from '../errand.ts'
import { openWalk } from '../every-method.ts'
import { noteCalls, tagCalls, taskCalls } from './activity-calls.ts'
import { chatCalls, fileCalls, incomingCalls } from './contact-calls.ts'
import { contactCalls, leadCalls, linkCalls } from './record-calls.ts'
import { catalogCalls, customerCalls, stageCalls } from './sales-calls.ts'
import { setScene } from './scene.ts'
import { accountCalls, fieldCalls, integrationCalls } from './setting-calls.ts'

const keys = { ...demo.integration, ...demo.tokens, token_type: 'Bearer', expires_in: 86_400 }
const amo = new Amo(host, { ...keys, expires_at: Date.now() + 86_400_000 }, { request_delay: 0 })
const scene = await setScene(amo)
const { watch, run } = openWalk('@shevernitskiy/amo')

// Its parts are getters that answer the same object each time; `file` alone needs the address of the file service.
for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(Amo.prototype)))
  if (get && name !== 'token' && name !== 'raw') watch(name, get.call(amo))
watch('file', amo.file(scene.drive))

await run(
  accountCalls(scene),
  fieldCalls(scene),
  leadCalls(scene),
  contactCalls(scene),
  linkCalls(scene),
  tagCalls(scene),
  taskCalls(scene),
  noteCalls(scene),
  catalogCalls(scene),
  customerCalls(scene),
  stageCalls(scene),
  chatCalls(scene),
  incomingCalls(scene),
  fileCalls(scene),
  integrationCalls(scene),
)
