import '../theme.css'
import './reference.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { connection } from '../api/client.ts'
import { isUnreachable } from '../api/problem.ts'
import { startTranslations } from '../i18n/i18n.ts'
import { FailedReferenceBar, ReferenceBar } from './bar.tsx'
import { caller } from './caller.ts'
import { readDescription } from './description.ts'
import { keptChoice, readPlace } from './place.ts'
import { render } from './renderer.ts'

/** The API reference for integration developers, which can also call the server. */

connection.replaced = () => window.location.reload()

await startTranslations()
const bar = createRoot(document.getElementById('bar') as HTMLElement)
await show().catch((error) => {
  if (!isUnreachable(error)) reportError(error)
  bar.render(<FailedReferenceBar />)
})

async function show(): Promise<void> {
  const place = await readPlace()
  caller.integration = keptChoice('integration', place.integrations)
  caller.channel = keptChoice('channel', place.channels)
  bar.render(
    <StrictMode>
      <ReferenceBar place={place} />
    </StrictMode>,
  )
  const { channel: channel_id } = caller
  await render(
    await readDescription(
      channel_id ? { channel_id, scope_id: `${channel_id}_${place.amojo_id}` } : undefined,
    ),
  )
}
