import { expect, type Page, test } from '@playwright/test'
import sharp from 'sharp'
import { checkPage, themesOf } from './check-page.ts'
import { demo, signIn, watch } from './people.ts'

const address = `/settings/channels/${demo.channel_live?.id}/telephone`

const telephone = (page: Page) => page.getByRole('region', { name: /^The telephone of/ })
const screen = (page: Page) => telephone(page).getByRole('log')

async function addCustomer(page: Page, name: string, phone: string): Promise<void> {
  await page.getByRole('button', { name: 'New customer' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
  await dialog.getByRole('textbox', { name: 'Phone number' }).fill(phone)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(telephone(page).getByText(name)).toBeVisible()
}

async function say(page: Page, text: string): Promise<void> {
  const field = page.getByRole('textbox', { name: /^Message from/ })
  await field.fill(text)
  await field.press('Enter')
  await expect(screen(page).getByText(text)).toBeVisible()
}

test('a customer is played on the telephone of a channel, and reads the answers', async ({ page }) => {
  const seen = watch(page)
  await signIn(page)
  await page.goto(address)
  await addCustomer(page, 'Nora Quill', '+1 555 0190')
  await say(page, 'Is the blue one still there?')
  await page.getByRole('link', { name: 'Open in the inbox' }).click()
  await page.getByRole('textbox', { name: 'Message to Nora Quill' }).fill('Yes, it is.')
  await page.keyboard.press('Enter')
  await page.goto(address)
  await page.getByRole('button', { name: /^Nora Quill/ }).click()
  const answer = screen(page).getByRole('listitem').filter({ hasText: 'Yes, it is.' })
  await expect(answer).toBeVisible()

  await answer.getByRole('button', { name: 'Report or react' }).click()
  await page.getByRole('menuitem', { name: 'Read', exact: true }).click()
  await expect(answer.getByText('read')).toBeAttached()
  await answer.getByRole('button', { name: 'Report or react' }).click()
  await page.getByRole('menuitem', { name: '👍' }).click()
  await expect(answer.getByText('👍')).toBeVisible()

  await page.getByRole('button', { name: 'Attach' }).click()
  await page.getByRole('menuitem', { name: 'Location' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Latitude' }).fill('48.2082')
  await dialog.getByRole('textbox', { name: 'Longitude' }).fill('16.3738')
  await dialog.getByRole('button', { name: 'Send' }).click()
  await expect(screen(page).getByRole('link', { name: /48\.2/ })).toBeVisible()
  const buffer = await sharp({ create: { width: 320, height: 200, channels: 3, background: '#0f6b78' } })
    .png()
    .toBuffer()
  await page.locator('input[type=file]').setInputFiles({ name: 'blue.png', mimeType: 'image/png', buffer })
  await expect(screen(page).getByRole('button', { name: /blue\.png/ })).toBeVisible()
  expect(seen).toEqual([])
})

test('several customers write at the same time, each on their own telephone', async ({ page }) => {
  await signIn(page)
  await page.goto(address)
  await addCustomer(page, 'Pia Lund', '')
  await say(page, 'I am Pia')
  await addCustomer(page, 'Tom Reed', '')
  await say(page, 'I am Tom')
  await expect(screen(page).getByText('I am Pia')).toHaveCount(0)
  await page.getByRole('button', { name: /^Pia Lund/ }).click()
  await expect(screen(page).getByText('I am Pia')).toBeVisible()
  for (const colorScheme of themesOf('telephone')) {
    await page.emulateMedia({ colorScheme })
    await checkPage(page, address, colorScheme)
  }
})
