import type { Page } from '@playwright/test'

/**
 * Waits until the page that opens next follows the live stream of the log or the chats. Nothing else reloads
 * lists and cards, so later changes on the page came through the stream.
 */
export const followsLive = (page: Page, of: 'events' | 'chats' = 'events'): Promise<unknown> =>
  page.waitForResponse(
    (response) => response.request().resourceType() === 'eventsource' && response.url().includes(`/${of}`),
  )
