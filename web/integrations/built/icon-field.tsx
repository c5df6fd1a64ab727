import { Button, FileButton } from '@mantine/core'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconTile } from '../../parts/layout/icon-tile.tsx'
import classes from './icon-field.module.css'
import { type IconFault, iconFault, iconTypes } from './icon-rules.ts'

interface IconFieldProps {
  name: string
  url: string | null
  pending?: boolean
  onPick: (file: File) => void
  onRemove: () => void
}

export function IconField({ name, url, pending, onPick, onRemove }: IconFieldProps) {
  const { t } = useTranslation()
  const [fault, setFault] = useState<IconFault>()
  const reset = useRef<() => void>(null)
  const pick = async (file: File | null) => {
    reset.current?.()
    if (!file) return
    const found = await iconFault(file)
    setFault(found)
    if (!found) onPick(file)
  }
  return (
    <div>
      <div className={classes.label}>{t('field.icon')}</div>
      <div className={classes.row}>
        <IconTile name={name || '?'} url={url} size="large" />
        <div className={classes.side}>
          <div className={classes.buttons}>
            <FileButton resetRef={reset} accept={iconTypes.join(',')} onChange={pick}>
              {(props) => (
                <Button variant="default" loading={pending} {...props}>
                  {url ? t('icon.replace') : t('icon.choose')}
                </Button>
              )}
            </FileButton>
            {url && (
              <Button variant="subtle" color="gray" onClick={onRemove} disabled={pending}>
                {t('icon.remove')}
              </Button>
            )}
          </div>
          <p className={classes.hint}>{t('icon.hint')}</p>
        </div>
      </div>
      {fault && (
        <p className={classes.fault} role="alert">
          {t(fault.key, fault.values ?? {})}
        </p>
      )}
    </div>
  )
}
