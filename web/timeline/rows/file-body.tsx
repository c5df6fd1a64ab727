import { UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDownload, IconFile } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { pathOf } from '../../api/client.ts'
import { fileOptions, type StoredFile } from '../../data/drive.ts'
import type { TimelineItem } from '../../data/timeline.ts'
import { Dialog } from '../../parts/dialogs/dialog.tsx'
import { useFormat } from '../../parts/texts/format.ts'
import classes from './timeline.module.css'

/** A file with a download link; images also have a preview. */
export function FileBody({ item: { note } }: { item: TimelineItem }) {
  const { file_uuid = '', file_name } = (note?.params ?? {}) as { file_uuid?: string; file_name?: string }
  const { data: file } = useQuery({ ...fileOptions(file_uuid), enabled: file_uuid !== '' })
  const format = useFormat()
  const { t } = useTranslation()
  const name = file_name || (file && fullName(file)) || t('timeline.file')
  const path = file && pathOf(file._links.download)
  return (
    <div className={classes.block}>
      {file && <Preview file={file} name={name} />}
      <p className={classes.file}>
        <IconFile size={16} stroke={1.7} aria-hidden />
        {path ? (
          <a href={path} download aria-label={t('timeline.download', { name })}>
            {name}
          </a>
        ) : (
          <span>{name}</span>
        )}
        {file && <span className={classes.size}>{format.size(file.size)}</span>}
      </p>
    </div>
  )
}

const fullName = ({ name, metadata: { extension } }: StoredFile) =>
  extension === '' ? name : `${name}.${extension}`

/** The preview width that fits a row. */
const WIDE = 200

function Preview({ file, name }: { file: StoredFile; name: string }) {
  const { t } = useTranslation()
  const [isOpen, dialog] = useDisclosure()
  const previews = (file.previews ?? []).toSorted((a, b) => a.width - b.width)
  const small = previews.find(({ width }) => width >= WIDE) ?? previews.at(-1)
  const path = small && pathOf({ href: small.download_link })
  const whole = pathOf(file._links.download)
  if (!path) return null
  return (
    <>
      <UnstyledButton
        className={classes.opener}
        onClick={dialog.open}
        aria-label={t('timeline.enlarge', { name })}
      >
        <img className={classes.picture} src={path} alt="" loading="lazy" />
      </UnstyledButton>
      <Dialog opened={isOpen} onClose={dialog.close} title={name} size="auto">
        <img className={classes.large} src={whole} alt={name} />
        <a className={classes.file} href={whole} download>
          <IconDownload size={16} stroke={1.7} aria-hidden />
          {t('timeline.download', { name })}
        </a>
      </Dialog>
    </>
  )
}
