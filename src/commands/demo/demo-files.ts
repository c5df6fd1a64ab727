import type { Actor } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import { acceptPart, openSession } from '../../drive/drive.ts'
import type { Range } from './demo-catalog.ts'

/** Files that the shop sends to customers: a picture of a bicycle, and the prices. */
export interface ShopFiles {
  picture: string
  prices: string
}

/** Uploads the files through the public API of the file service. */
export async function uploadShopFiles(ctx: Context, actor: Actor, { bicycles }: Range): Promise<ShopFiles> {
  const lines = bicycles.map(({ name, price }) => `"${name}";${price}`)
  const prices = Buffer.from(['Bicycle;Price', ...lines, ''].join('\r\n'))
  return {
    picture: await upload(ctx, actor, 'Duna Gravel, blue.png', 'image/png', await drawing()),
    prices: await upload(ctx, actor, 'Price list.csv', 'text/csv', prices),
  }
}

async function upload(
  ctx: Context,
  actor: Actor,
  file_name: string,
  content_type: string,
  bytes: Buffer,
): Promise<string> {
  const draft = { file_name, file_size: bytes.length, content_type, with_preview: true }
  const { token } = await openSession(ctx, actor, draft)
  const result = await acceptPart(ctx, actor, { token, start: 0, bytes })
  if (!('file' in result)) throw new Error('the upload is incomplete')
  return result.file.uuid
}

const WHEELS = [230, 570]
const FRAME = 'M230 390 330 210 500 210 400 390Z M400 390 316 184 M500 210 570 390'
const HANDLEBARS = 'M500 210 488 160 540 150 M290 184h52'

/** A drawing of a bicycle. */
async function drawing(): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="560" fill="none" stroke-linecap="round" stroke-linejoin="round">
<rect width="800" height="560" fill="#eef1ec"/><path d="M0 495h800" stroke="#c9d1c4" stroke-width="6"/>
${WHEELS.map((x) => `<circle cx="${x}" cy="390" r="102" stroke="#2b2f33" stroke-width="12"/><circle cx="${x}" cy="390" r="8" fill="#2b2f33"/>`).join('')}
<circle cx="400" cy="390" r="28" stroke="#5c646b" stroke-width="9"/>
<path d="${FRAME}" stroke="#2f6f9f" stroke-width="15"/><path d="${HANDLEBARS}" stroke="#2b2f33" stroke-width="13"/></svg>`
  return sharp(Buffer.from(svg)).png({ palette: true }).toBuffer()
}
