import type { Page } from '@playwright/test'

/**
 * Waits until a page that is about to be opened follows the live stream of the log or of the chats: whatever happens
 * afterwards, it hears of. Nothing else reads lists and cards again, so what shows there has come by the stream.
 */
export const followsLive = (page: Page, of: 'events' | 'chats' = 'events'): Promise<unknown> =>
  page.waitForResponse(
    (response) => response.request().resourceType() === 'eventsource' && response.url().includes(`/${of}`),
  )
