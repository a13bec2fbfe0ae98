import './field.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { FieldApp } from './features/field/FieldApp.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no root element')
createRoot(root).render(
  <StrictMode>
    <FieldApp />
  </StrictMode>,
)
