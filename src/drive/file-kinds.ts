export const fileKinds = ['image', 'video', 'audio', 'document', 'archive', 'file'] as const
/** The platform's kinds of files. */
export type FileKind = (typeof fileKinds)[number]

const DOCUMENT = 'application/vnd.openxmlformats-officedocument'

/** Media types by extension, for clients that send none. */
const mimeTypes: Record<string, string> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  svg: 'image/svg+xml',
  bmp: 'image/bmp',
  heic: 'image/heic',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  avi: 'video/x-msvideo',
  mkv: 'video/x-matroska',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  oga: 'audio/ogg',
  opus: 'audio/opus',
  wav: 'audio/wav',
  m4a: 'audio/mp4',
  amr: 'audio/amr',
  pdf: 'application/pdf',
  doc: 'application/msword',
  docx: `${DOCUMENT}.wordprocessingml.document`,
  xls: 'application/vnd.ms-excel',
  xlsx: `${DOCUMENT}.spreadsheetml.sheet`,
  ppt: 'application/vnd.ms-powerpoint',
  pptx: `${DOCUMENT}.presentationml.presentation`,
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  rtf: 'application/rtf',
  txt: 'text/plain',
  csv: 'text/csv',
  zip: 'application/zip',
  rar: 'application/vnd.rar',
  '7z': 'application/x-7z-compressed',
  gz: 'application/gzip',
  tar: 'application/x-tar',
}

const documents = new Set(
  ['pdf', 'doc', 'docx', 'xls', 'xlsx', 'ppt', 'pptx', 'odt', 'ods', 'rtf'].map((name) => mimeTypes[name]),
)
const archives = new Set(['zip', 'rar', '7z', 'gz', 'tar'].map((name) => mimeTypes[name]))

/** The media type of the client without parameters, or that of the extension. */
export function mimeTypeOf(stated: string | undefined, extension: string): string {
  const type = stated?.split(';', 1)[0]?.trim().toLowerCase()
  if (type) return type
  return Object.hasOwn(mimeTypes, extension) ? (mimeTypes[extension] as string) : 'application/octet-stream'
}

export function kindOf(mime_type: string): FileKind {
  const [family] = mime_type.split('/', 1)
  if (family === 'image' || family === 'video' || family === 'audio') return family
  if (family === 'text' || documents.has(mime_type)) return 'document'
  return archives.has(mime_type) ? 'archive' : 'file'
}
