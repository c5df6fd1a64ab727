/** Limits of an icon, checked before the upload. The server checks them again. */
export const iconTypes = ['image/png', 'image/jpeg', 'image/gif']
const bytes = 512 * 1024
const width = 400
const height = 272

export interface IconFault {
  key: 'icon.wrong_type' | 'icon.too_large' | 'icon.wrong_size' | 'icon.unreadable'
  values?: Record<string, string | number>
}

/** Returns the fault of an icon file, or undefined. */
export async function iconFault(file: File): Promise<IconFault | undefined> {
  if (!iconTypes.includes(file.type)) return { key: 'icon.wrong_type' }
  if (file.size > bytes) return { key: 'icon.too_large', values: { kib: Math.ceil(file.size / 1024) } }
  try {
    const image = await createImageBitmap(file)
    const found = { width: image.width, height: image.height }
    image.close()
    return found.width === width && found.height === height
      ? undefined
      : { key: 'icon.wrong_size', values: found }
  } catch {
    return { key: 'icon.unreadable' }
  }
}
