import { Check, Copy } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { Input } from '../ui/Input.tsx'
import { Banner } from '../ui/Surface.tsx'

/** An address that is shown this once, to be copied. */
export function CopyOnce({ url, label, children }: { url: string; label: string; children: ReactNode }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url)
      setCopied(true)
    } catch {
      // Over plain HTTP from another machine there is no clipboard: it stands selected in the field.
    }
  }
  return (
    <Banner tone="info" title={children}>
      <div className="mt-2 flex flex-wrap gap-2">
        <Input
          readOnly
          aria-label={label}
          value={url}
          className="min-w-0 flex-1 basis-56 text-text"
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button
          icon={copied ? <Check aria-hidden className="size-4" /> : <Copy aria-hidden className="size-4" />}
          onClick={copy}
        >
          {copied ? 'Copiado' : 'Copiar'}
        </Button>
      </div>
    </Banner>
  )
}
