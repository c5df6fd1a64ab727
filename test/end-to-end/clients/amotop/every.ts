/** Every method of `@mobilon-dev/amotop`: the API, files, tokens, and chats in the live protocol. */
import amotop from '@mobilon-dev/amotop'
import { demo, freshCode, host, openAdmin } from '../errand.ts'
import { hiddenIn, openWalk } from '../every-method.ts'
import { chatCalls, fileCalls, incomingCalls } from './contact-calls.ts'
import { logCalls } from './log-calls.ts'
import { providerCalls, tokenCalls } from './provider-calls.ts'
import { contactCalls, leadCalls, taskCalls } from './record-calls.ts'
import { setScene } from './scene.ts'
import { accountCalls, fieldCalls } from './setting-calls.ts'

const draft = { name: 'Every method', callback_url: 'https://bridge.example/callback', protocol: 'live' }
const { keys } = (await (await openAdmin())('POST', '/web/channels', draft)).body
const chats = { amoChatDomain: host, channelSecret: keys.secret }
const scopeId = `${keys.channel_id}_${demo.account.amojo_id}`
const scene = await setScene()

const { watch, run } = openWalk('@mobilon-dev/amotop')
const hidden = (name: string) => hiddenIn(`@mobilon-dev/amotop/dist/${name}/${name}.d.ts`)
watch('api', scene.api, ['axios', ...hidden('AmoApiClient')])
const files = watch(
  'files',
  new amotop.AmoFileClient(demo.tokens.access_token, { driveUrl: scene.drive }),
  hidden('AmoFileClient'),
)
const service = watch('service', new amotop.AmoService(null), hidden('AmoService'))
const channel = watch(
  'channel',
  new amotop.AmoJoChannelClient({ ...chats, channelId: keys.channel_id }),
  hidden('AmoJoChannelClient'),
)
const scope = watch('scope', new amotop.AmoJoScopeClient({ ...chats, scopeId }), hidden('AmoJoScopeClient'))

await run(
  accountCalls(scene),
  fieldCalls(scene),
  leadCalls(scene),
  contactCalls(scene),
  taskCalls(scene),
  logCalls(scene),
  chatCalls(scene),
  incomingCalls(scene),
  fileCalls(scene, files),
  providerCalls(scene, channel, scope, keys.bot_id),
  tokenCalls(service, await freshCode()),
)
