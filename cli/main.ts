#!/usr/bin/env node
process.stdout.write('schemac 0.1.0\n');
