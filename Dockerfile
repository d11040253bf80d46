FROM python:3.11-slim

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
WORKDIR /site
COPY requirements.lock .
RUN pip install --no-cache-dir --require-hashes -r requirements.lock
COPY . .
# So that the first bots need not wait: kept for the processor that it is built on, else done anew.
RUN python -m games.ai compile
# Neither step reads a secret or a database; the values are for this step alone.
RUN DEMO=1 SECRET_KEY=build python manage.py compilelocale \
 && DEMO=1 SECRET_KEY=build python manage.py collectstatic --noinput -v0 \
 && useradd --system --no-create-home site \
 && mkdir -p var/media && chown -R site var
USER site
EXPOSE 8000
CMD ["python", "manage.py", "serve", "--host", "0.0.0.0", "--port", "8000", "--no-worker"]
